"""What travels between the rooms: blocks and documents, evidence and answers, reports, trajectories, errors."""
