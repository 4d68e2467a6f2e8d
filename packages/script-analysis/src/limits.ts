// The limits of one scoring. Work is counted in steps, so that the same script ends at the same place on every
// machine.

/** Longer scripts get no scores, counted in bytes without comments and spaces. */
export const MAX_SCORED_LENGTH = 5 * 1024 * 1024

/** Longer scripts are scored by their sections only, counted in UTF-16 units without comments and spaces. */
export const MAX_WHOLE_LENGTH = 300 * 1024

/** Longer scripts with comments are scored by their sections, too, however short they are without, counted in UTF-16 units. */
export const MAX_LENGTH_WITH_COMMENTS = 2 * 1024 * 1024

/** Steps of the interpreter for one section of such a script. */
export const MAX_STEPS_OF_LONG_PART = 150_000

/** Steps of the interpreter over all layers of a script; one is about a tenth of a microsecond to a microsecond. */
export const MAX_STEPS = 2_500_000

/** The part of them for a section of a script that is also analyzed separately. */
export const MAX_STEPS_OF_PART = 400_000

/** The part of them for callbacks and functions that were never called, in total for each layer. */
export const MAX_STEPS_OF_REST = 700_000

/** The part of them for one regular expression; the result of a longer run is unknown. */
export const MAX_STEPS_OF_PATTERN = 1_000_000

/** The part of them for branches that were never entered, in total for each layer. */
export const MAX_STEPS_OF_SKIPPED = 400_000

/** How many such branches are remembered. */
export const MAX_SKIPPED = 5000

/** The part of them for a single function that was never called. */
export const MAX_STEPS_OF_UNCALLED = 15_000

/** How often one function is scheduled, so that loops by timers or animation frames end. */
export const MAX_SCHEDULED = 50

/** Nested calls; the value of deeper ones is unknown. */
export const MAX_CALL_DEPTH = 40

/** Nested expressions and statements, over all calls; deeper ones are unknown, and are analyzed separately. */
export const MAX_EVALUATION_DEPTH = 700

/** Strings that the interpreter builds are cut off here. */
export const MAX_TEXT_LENGTH = 400_000

/** Characters of the known beginning of an unknown text. */
export const MAX_PREFIX = 400

/** Elements of an array that the interpreter builds. */
export const MAX_ITEMS = 20_000

/** Nested layers of code: code that a script passes to eval, Function, a timer or document.write, and so on. */
export const MAX_LAYERS = 6

/** Distinct strings, paths and flows that are stored for one script. */
export const MAX_OBSERVED = 20_000

/** Characters of all strings that are stored for one script. */
export const MAX_OBSERVED_TEXT = 4_000_000

/** Characters of all layers of one script that are parsed. */
export const MAX_LAYER_TEXT = 800_000

/** Nodes of one layer that are analyzed. */
export const MAX_NODES = 400_000
