// An event: its row, and below it why it was ended or logged, and what can follow from it.
import { Link } from '@tanstack/react-router'
import type { WireSecurityEvent } from '../../api/security-events.ts'
import { ActionWord } from '../../parts/action-word.tsx'
import { Icon } from '../../parts/icon.tsx'
import { LoggedList } from '../../parts/logged-list.tsx'
import { Exact, exactTime } from '../../parts/time.tsx'
import { activityStrings as text } from '../../strings/activity.ts'
import type { EventTerm } from './event-filter.ts'
import { exceptionPlace, nameOfRule, traceSearch } from './follow-ups.ts'

interface EventRowProps {
  readonly zone: string
  readonly event: WireSecurityEvent
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly onTerm: (term: EventTerm) => void
}

export function EventRow({ zone, event, isOpen, onToggle, onTerm }: EventRowProps) {
  const { method, host, path, ip } = event
  const time = clockOf(event.occurred_at)
  return (
    <>
      <tr aria-selected={isOpen} onClick={onToggle} className="event">
        <td className={isOpen ? 'm act' : 'm dim'}>
          <button
            type="button"
            className="fold"
            aria-expanded={isOpen}
            aria-label={text.open(method, `${host}${path}`, time)}
            onClick={(click) => {
              click.stopPropagation()
              onToggle()
            }}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
          </button>
        </td>
        <td className="k2 mono soft">
          <time dateTime={event.occurred_at} title={exactTime(event.occurred_at)}>
            {time}
          </time>
        </td>
        <td className="k4">
          <ActionWord action={event.action} />
        </td>
        <td className="mono soft o1">{method}</td>
        <td className="k1 mono" title={`${host}${path}`}>
          <span className="dim">{host}</span>
          {path}
        </td>
        <td className="from mono" title={ip}>
          {ip}
        </td>
        <td className="k3" title={ruleText(event)}>
          {ruleText(event)}
        </td>
      </tr>
      {isOpen && (
        <tr className="open">
          <td className="m" />
          <td className="span" colSpan={6}>
            <Why zone={zone} event={event} onTerm={onTerm} />
          </td>
        </tr>
      )}
    </>
  )
}

/** `10:46:51.204`, in UTC. */
const clockOf = (at: string): string => at.slice(11, 23)

const ruleText = (event: WireSecurityEvent): string => `${text.sourceOf(event.source)}: ${nameOfRule(event)}`

interface WhyProps {
  readonly zone: string
  readonly event: WireSecurityEvent
  readonly onTerm: (term: EventTerm) => void
}

function Why({ zone, event, onTerm }: WhyProps) {
  const { rule_id: rule, ip, expression } = event
  return (
    <div className="why">
      <dl className="kv">
        <dt>{text.why}</dt>
        <dd>
          {text.matched(text.sourceOf(event.source))} <b>{nameOfRule(event)}</b>
          {event.matched_field !== null && (
            <>
              . {text.found} <code>{event.matched_field}</code>
            </>
          )}
          {event.level === 'account' && <> {text.accountRule}</>}
        </dd>
        {event.uninspected_field !== null && (
          <>
            <dt>{text.notInspected}</dt>
            <dd>
              {text.partOf} <code>{event.uninspected_field}</code>
            </dd>
          </>
        )}
        <FromResponse event={event} />
        {expression !== null && (
          <>
            <dt>{text.when}</dt>
            <dd>
              <code className="expression">{expression}</code>
            </dd>
          </>
        )}
        <dt>{text.rule}</dt>
        <dd>
          <code>{rule}</code>
          {event.ruleset_id !== null && (
            <span className="dim">
              {' '}
              {text.ruleset} <code>{event.ruleset_id}</code>
            </span>
          )}
        </dd>
        <dt>{text.columns.from}</dt>
        <dd>
          <code>{ip}</code>
        </dd>
        <WhenAndRay event={event} />
      </dl>
      <div className="row">
        <button
          type="button"
          className="btn"
          onClick={() => onTerm({ field: 'address', isNot: false, value: ip })}
        >
          {text.onlyAddress}
        </button>
        <button
          type="button"
          className="btn"
          onClick={() => onTerm({ field: 'rule', isNot: true, value: rule })}
        >
          {text.notRule}
        </button>
        <ExceptionLink zone={zone} event={event} />
        <Link className="btn" to="/zones/$zone/rules" params={{ zone }} search={{ rule: event.ray_id }}>
          {text.writeRule}
        </Link>
        <Link className="btn bare" to="/zones/$zone/trace" params={{ zone }} search={traceSearch(event)}>
          {text.trace}
        </Link>
      </div>
    </div>
  )
}

function WhenAndRay({ event }: { readonly event: WireSecurityEvent }) {
  return (
    <>
      <dt>{text.at}</dt>
      <dd>
        <Exact at={event.occurred_at} />
      </dd>
      <dt>{text.ray}</dt>
      <dd>
        <code>{event.ray_id}</code>
      </dd>
    </>
  )
}

/** What the origin answered, and what rules log, one line for each header or cookie. */
function FromResponse({ event }: { readonly event: WireSecurityEvent }) {
  const { origin_status: status, logged_fields: fields } = event
  return (
    <>
      {status !== null && (
        <>
          <dt>{text.answered}</dt>
          <dd>
            {text.origin} <code>{status}</code>
          </dd>
        </>
      )}
      <LoggedList fields={fields} />
    </>
  )
}

function ExceptionLink({ zone, event }: Pick<WhyProps, 'zone' | 'event'>) {
  const place = exceptionPlace(event)
  if (place === undefined) return null
  return (
    <Link
      className="btn"
      to={place === 'managed' ? '/zones/$zone/rules/managed' : '/zones/$zone/rules'}
      params={{ zone }}
      search={{ exception: event.ray_id }}
    >
      {text.exception}
    </Link>
  )
}
