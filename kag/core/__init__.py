"""Values that all packages share: blocks and documents, evidence and answers, reports, trajectories, errors."""
