// The command that follows the audit log of a server, or the changes of one zone.
import type { WireAuditLog } from '@zonereeve/contract'
import type { Command } from 'commander'
import { ApiError, type Api } from './api.ts'
import { integerOf } from './numbers.ts'
import { isJson, plainClient, runPlain, withFormats } from './verb.ts'
import { formatRows } from './output.ts'
import { readEvents } from './server-sent-events.ts'

const PAUSE_MILLIS = 1_000

export function addEventsCommand(program: Command): void {
  const command = program
    .command('events')
    .argument('[zone]', 'only changes of this zone')
    .description('print changes as they happen, until it is stopped; without a zone, the whole audit log')
    .option(
      '--after <number>',
      'begin after this entry, instead of now',
      integerOf(0, Number.MAX_SAFE_INTEGER),
    )
    .option('--once', 'end when the server ends the stream, instead of connecting again')
  withFormats(plainClient(command), ['table', 'ndjson']).action(
    runPlain(async (api, [zone], options) => {
      const path = zone === undefined ? '/zonereeve/events' : await pathOf(api, zone)
      const print =
        isJson(options) || options['output'] === 'ndjson' || !process.stdout.isTTY ? asJson : asLine
      let after = options['after'] === undefined ? undefined : String(options['after'])
      do {
        after = await follow(api, path, after, (text) => process.stdout.write(`${print(text)}\n`))
      } while (options['once'] !== true)
    }),
  )
}

const pathOf = async (api: Api, zone: string): Promise<string> =>
  `/zonereeve/zones/${await api.zoneId(zone)}/events`

/**
 * Prints events until the stream ends or breaks. @returns the id of the last one.
 *
 * @throws ApiError if the server refuses.
 */
async function follow(
  api: Api,
  path: string,
  after: string | undefined,
  print: (data: string) => void,
): Promise<string | undefined> {
  let last = after
  try {
    const headers: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
    const { body } = await api.open(path, headers)
    if (body === null) throw new Error('the reply has no body')
    for await (const { event, id, data } of readEvents(body)) {
      last = id ?? last
      if (event === 'gap') process.stderr.write(`note: entries are missing: they no longer exist. ${data}\n`)
      else print(data)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    process.stderr.write(`note: ${error instanceof Error ? error.message : String(error)}; trying again\n`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS))
  }
  return last
}

const asJson = (data: string): string => data

function asLine(data: string): string {
  const { when, actor, action, resource } = JSON.parse(data) as WireAuditLog // the API's own form
  const row = {
    when,
    actor: actor.email,
    action: action.result ? action.type : `${action.type} refused`,
    resource: resource.id,
  }
  // Without the line of column names.
  return formatRows([row], ['when', 'actor', 'action', 'resource'], 'table').split('\n').slice(1).join('')
}
