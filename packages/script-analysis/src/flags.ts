// Values that say yes or no: after a condition that is not known, those that depend on it are not known either, so that
// what stands behind `if (!isCheckout()) return` is read.
import { answerAbout, askedOf, isUnknown, type UnknownValue, type Value } from './values.ts'

/** Whether variables have this for yes or no: numbers are also places in texts and keys of decoders. */
const isFlag = (value: Value): boolean => value === undefined || value === null || typeof value === 'boolean'

/** Whether functions return this for yes or no. */
const isReply = (value: Value): boolean => isFlag(value) || value === 0 || value === 1

/** Whether it is known to be nothing but an answer of the browser. */
const isAnswer = (value: Value): value is UnknownValue =>
  isUnknown(value) && value.path === '' && value.taint === 0

/** Whether it is yes, no, or one of them. */
const mayAnswer = (value: Value): boolean => isFlag(value) || isAnswer(value)

/** Yes or no, if one variable has the first or the second value; undefined: one of them is something else, or they agree. */
export const eitherFlag = (first: Value, second: Value, asked: number): UnknownValue | undefined => {
  if (!mayAnswer(first) || !mayAnswer(second)) return undefined
  const isKnown = isFlag(first) && isFlag(second) && Boolean(first) === Boolean(second)
  return isKnown ? undefined : answerAbout(asked | askedOf(first) | askedOf(second))
}

/** The same for what a function returns. */
export function eitherReply(first: Value, second: Value, asked: number): UnknownValue | undefined {
  if (isReply(first) && isReply(second))
    return Boolean(first) === Boolean(second) ? undefined : answerAbout(asked)
  return isAnswer(first) && isReply(second) ? answerAbout(asked | first.asked) : undefined
}

const HAS_HOST = /^(?:https?:|wss?:)?\/\/\w/iu

/** Of two texts, that which has a host: where data may go counts more than where else it may go. */
export const addressOf = (first: Value, second: Value): string | undefined =>
  typeof first === 'string' && typeof second === 'string'
    ? [first, second].find((text) => HAS_HOST.test(text))
    : undefined

/** The variables of a scope, or the members of an object. */
type Named = Map<string, Value>
/** What they were before. */
type Before = Map<Named, Named>

export interface Flags {
  /** To be called before one of them gets a value. */
  readonly noteChange: (named: Named, name: string, value: Value) => void
  /**
   * Runs one branch, and then the other one if there is one, of which only one runs, on a condition that depends on `asked`. What says
   * yes after one of them and no after the other one is unknown then.
   */
  readonly join: <T>(asked: number, run: () => T, otherwise?: () => T) => readonly [T, T | null]
  /** Runs the body of a function, which leaves only itself. */
  readonly inBody: <T>(run: () => T) => T
  /** Runs what a break or continue leaves: behind it, everything runs, but for what a return may have left. */
  readonly inRound: <T>(run: () => T) => T
  /** Notes that the running body is perhaps left here; a return leaves more than a break. */
  readonly notePossibleEnd: (end: PossibleEnd) => void
  /** How often the running loop was perhaps left. */
  possibleEnds: number
  /** The running body was perhaps left before; undefined: it was not. */
  perhapsLeft: PossibleEnd | undefined
}

/** An end under an unknown condition. */
interface PossibleEnd {
  /** On what it depends. */
  readonly asked: number
  /** Of the function; else of the loop. */
  readonly isReturn: boolean
}

/** For the variables and objects of one script. */
export function createFlags(): Flags {
  /** What the innermost branch has changed; undefined: everything runs for sure. */
  let changes: Before | undefined

  function runAlone<T>(before: Before, run: () => T): T {
    const outer = changes
    changes = before
    try {
      return run()
    } finally {
      changes = outer
    }
  }

  function takeEnd(): PossibleEnd | undefined {
    const { perhapsLeft } = flags
    flags.perhapsLeft = undefined
    return perhapsLeft
  }

  const flags: Flags = {
    possibleEnds: 0,
    perhapsLeft: undefined,
    inBody(run) {
      const { possibleEnds } = flags
      const before = takeEnd()
      try {
        return run()
      } finally {
        flags.perhapsLeft = before
        flags.possibleEnds = possibleEnds
      }
    },
    inRound(run) {
      const before = takeEnd()
      const result = run()
      const end = takeEnd()
      flags.perhapsLeft = before ?? (end?.isReturn === true ? end : undefined)
      return result
    },
    notePossibleEnd(end) {
      if (flags.perhapsLeft === undefined || (end.isReturn && !flags.perhapsLeft.isReturn))
        flags.perhapsLeft = end
    },
    noteChange(named, name, value) {
      if (changes === undefined) return
      const before = named.get(name)
      const isText = typeof before === 'string' && typeof value === 'string'
      if (before === value || !(isText || (isFlag(value) && mayAnswer(before)))) return
      const ofNamed = changes.get(named)
      if (ofNamed === undefined) changes.set(named, new Map([[name, before]]))
      else if (!ofNamed.has(name)) ofNamed.set(name, before)
    },
    join(asked, run, otherwise) {
      const before: Before = new Map()
      const result = runAlone(before, run)
      const after = otherwise === undefined ? before : exchange(before)
      const beforeOther: Before = new Map()
      const other = otherwise === undefined ? null : runAlone(beforeOther, otherwise)
      for (const [named, name, first] of itemsOf(after)) {
        const second = named.get(name)
        const isKept = otherwise !== undefined && beforeOther.get(named)?.has(name) !== true
        named.set(name, eitherOf(first, second, asked) ?? (isKept ? first : second))
      }
      for (const [named, name, first] of itemsOf(beforeOther)) {
        const second = named.get(name)
        if (after.get(named)?.has(name) !== true) named.set(name, eitherOf(first, second, asked) ?? second)
      }
      return [result, other]
    },
  }
  return flags
}

/** What a variable is after one of two branches; undefined: what the last one made it. */
const eitherOf = (first: Value, second: Value, asked: number): Value =>
  eitherFlag(first, second, asked) ?? addressOf(second, first)

function* itemsOf(all: Before): Iterable<readonly [Named, string, Value]> {
  for (const [named, values] of all) for (const [name, value] of values) yield [named, name, value]
}

/** Gives all of them these values. @returns the values that they had. */
function exchange(values: Before): Before {
  const had: Before = new Map()
  for (const [named, all] of values) {
    had.set(named, new Map([...all.keys()].map((name) => [name, named.get(name)])))
    for (const [name, value] of all) named.set(name, value)
  }
  return had
}
