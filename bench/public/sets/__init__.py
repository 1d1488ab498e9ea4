"""One loader a published set: `load(folder, options) -> QuestionSet`."""
