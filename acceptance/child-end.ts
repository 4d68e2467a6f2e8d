// Ends a child process in order.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Asks it to end, kills it if it takes longer, and waits until it has ended. */
export async function endWithin(child: ChildProcess, maxMillis: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), maxMillis)
  await exited
  clearTimeout(timer)
}
