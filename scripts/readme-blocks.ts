// Reads a page's runnable blocks, and compares a block's output with the output shown on the page.
export interface ReadmeBlock {
  /** Line of the opening fence, from 1. */
  readonly line: number
  readonly script: string
  /** Keeps running in the background: the server that the other blocks use. */
  readonly background: boolean
  /** The output shown on the page. */
  readonly expected: readonly string[]
}

/** The blocks marked `run` or `run=background`, in order, each with the `expect` block that follows it. */
export function readmeBlocks(markdown: string): ReadmeBlock[] {
  const blocks: ReadmeBlock[] = []
  for (const found of markdown.matchAll(/^```(\w+)(?: ([^\n]*))?\n([\s\S]*?)^```$/gm)) {
    const [, , marks = '', text = ''] = found
    const line = markdown.slice(0, found.index).split('\n').length
    const mark = marks.split(' ')[0]
    const previous = blocks.at(-1)
    if (mark === 'run' || mark === 'run=background') {
      blocks.push({ line, script: text, background: mark === 'run=background', expected: [] })
    } else if (mark === 'expect' && previous !== undefined) {
      blocks[blocks.length - 1] = {
        ...previous,
        expected: text.split('\n').filter((row) => row.trim() !== ''),
      }
    } else if (mark !== '' && mark !== undefined) {
      throw new Error(`line ${line}: unknown mark "${mark}"`)
    }
  }
  return blocks
}

/** The first expected line missing from the output; `…` matches any text. */
export function unprintedLine(expected: readonly string[], output: string): string | undefined {
  const printed = output.split('\n').map((row) => row.trim())
  return expected.find((row) => {
    const pattern = new RegExp(`^${row.trim().split('…').map(escape).join('.*')}$`)
    return !printed.some((line) => pattern.test(line))
  })
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
