// The bounds of one scoring. Work is counted in steps, so that the same script always ends at the same place on every machine.

/** Longer scripts get no scores (the documented cap of the classifier), counted in UTF-16 units of the text. */
export const MAX_SCORED_LENGTH = 300 * 1024

/** Steps of the interpreter over all layers of a script; one is about a tenth of a microsecond to a microsecond. */
export const MAX_STEPS = 6_000_000

/** Of them, those over a stretch of a script that is looked at on its own, too. */
export const MAX_STEPS_OF_PART = 1_000_000

/** What callbacks and functions that nothing called may take of them, all together for each layer. */
export const MAX_STEPS_OF_REST = 1_500_000

/** What one regular expression may take of them; of a longer run, nothing is known. */
export const MAX_STEPS_OF_PATTERN = 1_000_000

/** What branches that were never entered may take of them, all together for each layer. */
export const MAX_STEPS_OF_SKIPPED = 400_000

/** Branches that are remembered for that. */
export const MAX_SKIPPED = 5000

/** What a single function that nothing called may take of them. */
export const MAX_STEPS_OF_UNCALLED = 15_000

/** Calls within calls; deeper ones give an unknown value. */
export const MAX_CALL_DEPTH = 40

/** Expressions and statements within each other, over all calls; deeper ones give an unknown value, and are looked at on their own. */
export const MAX_EVALUATION_DEPTH = 700

/** Texts that the interpreter builds are cut off here. */
export const MAX_TEXT_LENGTH = 400_000

/** Elements of an array that the interpreter builds. */
export const MAX_ITEMS = 20_000

/** Code in code: what a script hands to eval, Function, a timer or document.write, and what that hands on. */
export const MAX_LAYERS = 6

/** Distinct texts, paths and flows that are kept of one script. */
export const MAX_OBSERVED = 20_000

/** Characters of all texts that are kept of one script. */
export const MAX_OBSERVED_TEXT = 4_000_000

/** Characters of all layers of one script that are parsed. */
export const MAX_LAYER_TEXT = 800_000

/** Nodes of one layer that are looked at. */
export const MAX_NODES = 400_000
