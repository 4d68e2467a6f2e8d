// An entry of the audit log; opened in its place, it has all that is known, and what narrows the list to entries like it.
import { Link, useNavigate } from '@tanstack/react-router'
import type { WireAuditLog } from '../../api/audit.ts'
import { Fact } from '../../parts/fact.tsx'
import { Icon } from '../../parts/icon.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { Age, Exact } from '../../parts/time.tsx'
import { numberText } from '../../strings.ts'
import { auditStrings as text } from '../../strings/audit.ts'
import { readMetadata } from './entry-metadata.ts'

const { detail } = text

interface AuditRowProps {
  readonly entry: WireAuditLog
  readonly isOpen: boolean
}

export function AuditRow({ entry, isOpen }: AuditRowProps) {
  const { action, actor, resource } = entry
  const { zoneName } = readMetadata(entry.metadata)
  return (
    <>
      <tr aria-selected={isOpen ? true : undefined}>
        <td className={action.result ? 'm' : 'm bad'}>{!action.result && <Icon name="wrong" />}</td>
        <td className="k1 mono">
          <Link
            className="go"
            to="/audit"
            search={(last) => ({ ...last, entry: isOpen ? undefined : entry.id })}
            aria-expanded={isOpen}
            aria-label={text.open(action.type, actorOf(entry))}
            resetScroll={false}
          >
            {action.type}
          </Link>
        </td>
        <td className="k3">{actorOf(entry)}</td>
        <td className={zoneName === undefined ? 'k4 soft' : 'k4 mono soft'} title={resource.id}>
          {zoneName ?? text.resource(resource.type)}
        </td>
        <td className="mono o1">{actor.ip}</td>
        <td className="o1">
          {action.result ? text.done : <StatusWord tone="wrong">{text.refused}</StatusWord>}
        </td>
        <td className="k2 num soft">
          <Age at={entry.when} />
        </td>
      </tr>
      {isOpen && (
        <tr className="edit">
          <td className="m" />
          <td className="span" colSpan={6}>
            <EntryDetail entry={entry} />
          </td>
        </tr>
      )}
    </>
  )
}

const actorOf = ({ actor, interface: kind }: WireAuditLog): string =>
  kind === 'System' ? text.server : actor.email

function EntryDetail({ entry }: { readonly entry: WireAuditLog }) {
  const { action, actor, resource } = entry
  const { zoneName, requestId, change, status, codes, hash } = readMetadata(entry.metadata)
  return (
    <div className="editor" role="group" aria-label={detail.label(action.type)}>
      <dl className="kv">
        <Fact name={detail.number}>{numberText(Number.parseInt(entry.id, 16))}</Fact>
        <Fact name={detail.when}>
          <Exact at={entry.when} />
        </Fact>
        <Fact name={detail.actor}>
          {actorOf(entry)} <span className="soft">({detail.kinds[entry.interface]})</span>{' '}
          {actor.ip !== null && <code>{actor.ip}</code>}
        </Fact>
        <Fact name={detail.target}>
          {zoneName !== undefined && <b className="mono">{zoneName}</b>} {text.resource(resource.type)}{' '}
          <code className="wrap">{resource.id}</code>
        </Fact>
        {status !== undefined && <Fact name={detail.status}>{status}</Fact>}
        {codes !== undefined && <Fact name={detail.codes}>{codes}</Fact>}
        {zoneName !== undefined && change !== undefined && (
          <Fact name={detail.change}>
            <Link className="link" to="/zones/$zone/history" params={{ zone: zoneName }} search={{ change }}>
              {detail.toHistory(change)}
            </Link>
          </Fact>
        )}
        {requestId !== undefined && (
          <Fact name={detail.request}>
            <code className="wrap">{requestId}</code>
          </Fact>
        )}
        {hash !== undefined && (
          <Fact name={detail.hash}>
            <code className="wrap">{hash}</code>
          </Fact>
        )}
      </dl>
      <Narrowing entry={entry} />
    </div>
  )
}

function Narrowing({ entry: { action, actor } }: { readonly entry: WireAuditLog }) {
  const navigate = useNavigate({ from: '/audit' })
  const add = (term: string): void =>
    void navigate({
      search: (last) => ({ ...last, q: last.q === undefined ? term : `${last.q} ${term}`, entry: undefined }),
    })
  return (
    <div className="foot">
      {!/\s/.test(actor.email) && actor.email !== '' && (
        <button type="button" className="btn" onClick={() => add(`actor:${actor.email}`)}>
          {detail.onlyActor}
        </button>
      )}
      <button type="button" className="btn" onClick={() => add(`action:${action.type}`)}>
        {detail.onlyAction}
      </button>
      {actor.ip !== null && (
        <button type="button" className="btn" onClick={() => add(`address:${actor.ip}`)}>
          {detail.onlyAddress}
        </button>
      )}
    </div>
  )
}
