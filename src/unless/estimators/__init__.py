"""The scikit-learn faces of the learners."""
