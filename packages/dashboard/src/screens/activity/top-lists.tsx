// The most frequent values of the events in sight; each one filters.
import type { WireSecurityEventSummary } from '../../api/security-events.ts'
import { numberText } from '../../strings.ts'
import { activityStrings as text } from '../../strings/activity.ts'
import type { EventField, EventTerm } from './event-filter.ts'
import { nameOfRule } from './follow-ups.ts'

type Lists = WireSecurityEventSummary['top']

const SHOWN = 5
const LISTS = [
  { list: 'rule_id', field: 'rule' },
  { list: 'ip', field: 'address' },
  { list: 'path', field: 'path' },
  { list: 'host', field: 'host' },
] as const satisfies readonly { readonly list: keyof Lists; readonly field: EventField }[]

interface TopListsProps {
  readonly top: Lists
  readonly onTerm: (term: EventTerm) => void
}

export function TopLists({ top, onTerm }: TopListsProps) {
  return (
    <section className="tops" aria-label={text.top}>
      {LISTS.map(({ list, field }) => (
        <TopList
          key={list}
          title={text.lists[list]}
          isData={list !== 'rule_id'}
          values={valuesOf(top, list)}
          onChosen={(value, isNot) => onTerm({ field, isNot, value })}
        />
      ))}
    </section>
  )
}

interface CountedValue {
  readonly value: string
  readonly label: string
  readonly events: number
}

function valuesOf(top: Lists, list: (typeof LISTS)[number]['list']): readonly CountedValue[] {
  if (list !== 'rule_id') return top[list].map(({ value, events }) => ({ value, label: value, events }))
  return top.rule_id.map(({ value, description, events }) => ({
    value,
    label: nameOfRule({ description, rule_id: value }),
    events,
  }))
}

interface TopListProps {
  readonly title: string
  /** Addresses, paths and hosts; names of rules are prose. */
  readonly isData: boolean
  readonly values: readonly CountedValue[]
  readonly onChosen: (value: string, isNot: boolean) => void
}

function TopList({ title, isData, values, onChosen }: TopListProps) {
  return (
    <table className="plain top-list">
      <thead>
        <tr>
          <th>{title}</th>
          <th className="num">
            <span className="vh">{text.title}</span>
          </th>
          <th className="not">
            <span className="vh">{text.not}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {values.slice(0, SHOWN).map(({ value, label, events }) => (
          <tr key={value}>
            <td className="clip">
              <button
                type="button"
                className={isData ? 'link mono' : 'link'}
                title={label}
                aria-label={text.only(label)}
                onClick={() => onChosen(value, false)}
              >
                {label}
              </button>
            </td>
            <td className="num mono">{numberText(events)}</td>
            <td className="not">
              <button
                type="button"
                className="link"
                aria-label={text.notValue(label)}
                onClick={() => onChosen(value, true)}
              >
                {text.not}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
