"""What keeps strangers' data and failing machines from doing harm: files, shapes, checksums, secrets, workers."""
