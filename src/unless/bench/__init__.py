"""Measuring learners: tables, learners, cells with a time limit, and the page that sets them beside the paper."""
