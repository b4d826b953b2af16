"""The workflow domain: tasks, the data they hand on, schedules and conditions."""
