"""The scikit-learn faces: one base class, one module per learner."""
