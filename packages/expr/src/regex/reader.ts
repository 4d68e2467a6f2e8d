// Walks over the characters of a pattern; with the `x` flag, whitespace and comments are skipped.
import { PatternFault, type PatternSpan } from './syntax.ts'

export class PatternReader {
  readonly characters: readonly string[]
  at = 0
  ignoresSpace = false

  constructor(pattern: string) {
    this.characters = [...pattern]
  }

  get isAtEnd(): boolean {
    return this.at >= this.characters.length
  }

  /** The character here, or an empty string at the end. */
  peek(): string {
    return this.characters[this.at] ?? '' // the end
  }

  /** The character after this one, or an empty string at the end. */
  get next(): string {
    return this.characters[this.at + 1] ?? '' // the end
  }

  /** The next significant character after this one. */
  get nextSignificant(): string {
    const before = this.at
    this.step()
    this.skipSpace()
    const found = this.peek()
    this.at = before
    return found
  }

  /** Moves one on; false at the end. */
  step(): boolean {
    if (!this.isAtEnd) this.at += 1
    return !this.isAtEnd
  }

  skipSpace(): void {
    if (!this.ignoresSpace) return
    while (!this.isAtEnd) {
      if (isPatternSpace(this.peek())) this.at += 1
      else if (this.peek() === '#') this.skipComment()
      else return
    }
  }

  private skipComment(): void {
    while (!this.isAtEnd) {
      const ends = this.peek() === '\n'
      this.at += 1
      if (ends) return
    }
  }

  /** Moves one on and over whitespace; false at the end. */
  stepOver(): boolean {
    this.step()
    this.skipSpace()
    return !this.isAtEnd
  }

  /** Moves past the token if it is here. */
  take(token: string): boolean {
    for (let i = 0; i < token.length; i += 1) if (this.characters[this.at + i] !== token[i]) return false
    this.at += token.length
    return true
  }

  /** The span of the character here. */
  get here(): PatternSpan {
    return { start: this.at, end: this.at + 1 }
  }

  fault(reason: string, start = this.at, end = this.at, other?: PatternSpan): PatternFault {
    return new PatternFault(reason, start, end, other)
  }
}

const SPACES = new Set('\t\n\v\f\r \u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000')

/** Unicode White_Space. */
export const isPatternSpace = (character: string): boolean =>
  SPACES.has(character) || (character >= '\u2000' && character <= '\u200a')
