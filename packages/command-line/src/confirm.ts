// Asks for confirmation at the terminal before an irreversible action.
import { createInterface } from 'node:readline/promises'

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream
}

const PROCESS_TERMINAL: Terminal = { input: process.stdin, output: process.stderr }

export interface Confirmation {
  /** What is about to happen, like `delete example.com and all its records`. */
  readonly action: string
  /** What must be typed; letter case does not matter. */
  readonly expected: string
  /** The value of `--yes`. */
  readonly yes: unknown
}

/**
 * Returns once the action is confirmed, by `--yes` or by typing the expected answer.
 *
 * @throws Error if the answer is another, or if there is no terminal to ask at.
 */
export async function requireConfirmation(
  { action, expected, yes }: Confirmation,
  terminal: Terminal = PROCESS_TERMINAL,
): Promise<void> {
  if (yes === true) return
  if (terminal.input.isTTY !== true)
    throw new Error(`nothing was changed: without a terminal, --yes is needed to ${action}`)
  const answer = await askLine(`This will ${action}. Type "${expected}" to go on: `, terminal)
  if (answer.toLowerCase() !== expected.toLowerCase())
    throw new Error(`nothing was changed: the answer was not "${expected}"`)
}

/** The line typed, without outer whitespace; empty if the input ends first. */
export async function askLine(question: string, { input, output } = PROCESS_TERMINAL): Promise<string> {
  const terminal = createInterface({ input, output })
  // A question whose input ends is never answered.
  const ended = new Promise<string>((resolve) => void terminal.once('close', () => resolve('')))
  try {
    return (await Promise.race([terminal.question(question), ended])).trim()
  } finally {
    terminal.close()
  }
}
