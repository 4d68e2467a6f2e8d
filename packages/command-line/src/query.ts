// zonereeve query: an answer of the nameserver, with the reasons for it.
import type { WireQueryAnswer } from '@zonereeve/contract'
import type { Command } from 'commander'
import { client, formatOf, run } from './verb.ts'

const COLUMNS = ['section', 'name', 'type', 'ttl', 'source', 'record_ids']

export function addQueryCommand(program: Command): void {
  client(program.command('query <zone> <name> <type>'))
    .description('show what the nameserver answers for a name, and why')
    .action(
      run(async (api, [zone = '', name = '', type = ''], print, options) => {
        const desired = `name=${encodeURIComponent(name)}&type=${encodeURIComponent(type)}`
        const path = `/zonereeve/zones/${await api.zoneId(zone)}/query?${desired}`
        const { result } = await api.call<WireQueryAnswer>('GET', path)
        const format = formatOf(options)
        if (format === 'table') process.stdout.write(answerText(result))
        else print(format === 'csv' ? result.rrsets : [result], COLUMNS)
      }),
    )
}

function answerText(answer: WireQueryAnswer): string {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', `;; ${title}`, ...lines.map(printable)]
  const size = answer.truncated_over_udp ? ', truncated over UDP' : ''
  return [
    `;; ${answer.rcode}, flags ${answer.flags.join(' ')}${size}`,
    ...section('ANSWER', answer.answer),
    ...section('AUTHORITY', answer.authority),
    ...section('ADDITIONAL', answer.additional),
    ...section(
      'WHY',
      answer.steps.map(({ explanation }) => explanation),
    ),
    ...section(
      'FROM',
      answer.rrsets.map(
        ({ section: where, name, type, source, record_ids: ids }) =>
          `${where} ${name} ${type}: ${[source, ...ids].join(' ')}`,
      ),
    ),
    '',
  ].join('\n')
}

/** Replaces control characters: record content must not control the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?')
