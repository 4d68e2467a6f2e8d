// Runs a command of the program as typed at a prompt, in this process; returns its output and exit code.
import { vi } from 'vitest'
import { main } from '../main/cli.ts'

export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

export async function runCommand(...argv: string[]): Promise<Ended> {
  let [out, err] = ['', '']
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text)
    return true
  })
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text)
    return true
  })
  try {
    return { code: await main(argv), out, err }
  } finally {
    stdout.mockRestore()
    stderr.mockRestore()
  }
}
