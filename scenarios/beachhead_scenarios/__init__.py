"""The scenarios that come with Beachhead, as data files only."""
