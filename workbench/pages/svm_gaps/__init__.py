"""The page on SVM gaps."""
