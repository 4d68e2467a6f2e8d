// Progress of a long command: a progress bar on a terminal, otherwise a line per 10 %.
const BAR_WIDTH = 30
const STEPS = 10

export interface Progress {
  /** @param share from 0 to 1. */
  at(share: number, text: string): void
  /** Removes the progress bar. */
  end(): void
}

export function createProgress(out: { readonly isTTY?: boolean; write(text: string): unknown }): Progress {
  let shownPercent = 0
  return {
    at(share, text) {
      const done = Math.min(1, share)
      if (out.isTTY === true) {
        const filled = Math.round(done * BAR_WIDTH)
        const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '.')
        out.write(`\r\u001b[K[${bar}] ${Math.round(done * 100)} % ${text}`)
        return
      }
      const step = Math.floor(done * STEPS)
      if (step <= shownPercent) return
      shownPercent = step
      out.write(`${step * STEPS} % ${text}\n`)
    },
    end() {
      if (out.isTTY === true) out.write('\r\u001b[K')
    },
  }
}
