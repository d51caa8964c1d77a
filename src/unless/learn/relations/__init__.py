"""Relations: what facts say of things that a row has to do with, as conditions that learners can test."""
