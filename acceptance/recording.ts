// A fetch that records every request and reply, one JSON object per line, and the comparison of a recording with the schema.
import { deepEqual } from 'node:assert/strict'
import { appendFileSync, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { run } from '../scripts/process.ts'
import { missingOf, sharedFile } from '../scripts/requirements.ts'
import type { Report } from './report.ts'
import { unexplainedLines } from './schema-differences.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Wraps the global fetch; appends {method, path, status, body, req} of each request to `file`. */
export function recordingFetch(file: string): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.protocol === 'data:') return response // the SDK's feature detection
    const text = await response.clone().text()
    const exchange = {
      method: init?.method ?? 'GET',
      path: url.pathname + url.search,
      status: response.status,
      body: text === '' ? null : parseOrRaw(text),
      ...(typeof init?.body === 'string' ? { req: init.body } : {}),
    }
    appendFileSync(file, `${JSON.stringify(exchange)}\n`)
    return response
  }
}

function parseOrRaw(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { raw: text } // the form that the validator expects for a body that is not JSON
  }
}

/** Compares every recorded response with the vendor's published schema, if that file is available. */
export async function validateRecording(log: string, report: Report): Promise<void> {
  const missing = missingOf(['shared-data'])
  if (missing !== undefined)
    return report.skip('recorded responses against the schema', missing.reason, missing.required)
  const validator = fileURLToPath(sharedFile('tools/validate-responses.mjs'))
  if (!existsSync(validator))
    return report.skip('recorded responses against the schema', 'its validator', false)
  await report.check(
    'every recorded response matches the published schema, except for the listed differences',
    async () => {
      // Without the validator's own waivers: every difference is in our list or a failure.
      const given = [validator, log, '--no-waive', '--extra', '--max', '10000']
      const { output } = await run(process.execPath, given, { cwd: root })
      const [exchanges = '', result = ''] = output.trimEnd().split('\n').slice(-2)
      console.log(`      schema: ${exchanges}; without waivers ${result}`)
      deepEqual(unexplainedLines(output), [], 'differences that docs/schema-differences.json does not list')
    },
  )
}
