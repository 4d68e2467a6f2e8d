// The words that the writing thread and the reading threads share besides the pages: which version is published, and
// which one each thread is reading. A word per thread is on a cache line of its own.
//
// A reader announces the version before it reads the root, and looks whether it is still the newest: so a writer that
// has published a newer one either sees the announcement, or the reader sees the newer version (epoch-based
// reclamation: see versions.ts).

/** Threads that can read at the same time. */
export const MAX_READERS = 64
const LINE = 16
const WORD = { VERSION: 0, ROOT: 1, BY_LABELS: LINE, PINS: LINE + 128 } as const
const WORDS = WORD.PINS + LINE * MAX_READERS

/** Versions are 32-bit numbers that wrap around; 0 is none. */
export const FIRST_VERSION = 1

export class Control {
  readonly buffer: SharedArrayBuffer
  /** Number of zones for each label count of the apex. */
  readonly byLabels: Int32Array
  readonly #words: Int32Array

  /** @param shared the buffer of another thread's control */
  constructor(shared?: SharedArrayBuffer) {
    this.buffer = shared ?? new SharedArrayBuffer(4 * WORDS)
    this.#words = new Int32Array(this.buffer)
    if (shared === undefined) this.publish(FIRST_VERSION, 0)
    this.byLabels = this.#words.subarray(WORD.BY_LABELS, WORD.PINS)
  }

  get version(): number {
    return Atomics.load(this.#words, WORD.VERSION)
  }

  /** The root of the zone directory. */
  get root(): number {
    return Atomics.load(this.#words, WORD.ROOT)
  }

  /** Makes a root visible to all threads. */
  publish(version: number, root: number): void {
    Atomics.store(this.#words, WORD.ROOT, root)
    Atomics.store(this.#words, WORD.VERSION, version)
  }

  /** Keeps everything that can be reached from the root until unpin(). Returns the version. */
  pin(reader: number): number {
    for (;;) {
      const version = this.version
      Atomics.store(this.#words, WORD.PINS + LINE * reader, version)
      if (this.version === version) return version
    }
  }

  /** Ends what pin() began; also called for a thread that has died. */
  unpin(reader: number): void {
    Atomics.store(this.#words, WORD.PINS + LINE * reader, 0)
  }

  /** Whether a thread may still read what version `version` cannot reach. */
  isReadBefore(version: number): boolean {
    for (let reader = 0; reader < MAX_READERS; reader += 1) {
      const pinned = Atomics.load(this.#words, WORD.PINS + LINE * reader)
      if (pinned !== 0 && ((pinned - version) | 0) < 0) return true
    }
    return false
  }
}
