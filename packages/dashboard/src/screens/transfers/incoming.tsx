// Where a secondary zone comes from: its primaries, how current it is, and the last error.
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import {
  incomingOf,
  incomingStatus,
  saveIncoming,
  transferNow,
  type WireIncomingStatus,
  type WirePeer,
} from '../../api/transfers.ts'
import type { WireZone } from '../../api/zones.ts'
import { CatalogLink } from '../../parts/catalog-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { Failure } from '../../parts/states.tsx'
import { StatusWord, type Tone } from '../../parts/status-word.tsx'
import { Age, Until } from '../../parts/time.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { transferStrings as text } from '../../strings/transfers.ts'
import { bareName } from '../catalogs/catalog-name.ts'
import { verifiedDigestOf } from '../dns-settings/digest-state.ts'
import { PeerChoice } from './peer-choice.tsx'
import { nameOf } from './peer-states.tsx'
import { primariesOf } from './primaries.ts'

interface IncomingProps {
  readonly zone: WireZone
  readonly peers: readonly WirePeer[] | undefined
}

export function Incoming({ zone, peers }: IncomingProps) {
  const incoming = useQuery(incomingOf(zone.id))
  const status = useQuery(incomingStatus(zone.id))
  const action = useZoneAction(zone.id)
  const failed = incoming.error ?? status.error
  if (failed !== null)
    return <Failure error={failed} onRetry={() => void Promise.all([incoming.refetch(), status.refetch()])} />
  if (incoming.data === undefined || status.data === undefined) return null
  const chosen = incoming.data === null ? [] : incoming.data.peers
  const primaries = peers && primariesOf(peers, chosen)
  const catalog = status.data === null ? null : status.data.catalog
  return (
    <Section title={text.incoming}>
      <div className="stack">
        {incoming.data === null ? (
          <p>
            <b>{text.noIncoming}</b> <span className="soft">{text.noIncomingDetail}</span>
          </p>
        ) : (
          status.data !== null && <IncomingFacts status={status.data} />
        )}
        {catalog !== null && (
          <MemberPrimaries accountId={zone.account.id} catalog={catalog} peers={peers} chosen={chosen} />
        )}
        {catalog === null && primaries !== undefined && primaries.length > 0 && (
          <PeerChoice
            key={incoming.data?.peers.join(' ')}
            label={text.choosePrimary}
            peers={primaries}
            chosen={chosen}
            isRanked
            isBusy={action.isPending}
            onSave={(next) =>
              action.mutate({
                run: () => saveIncoming(zone, next, incoming.data === null),
                done: text.saved,
              })
            }
          />
        )}
        {incoming.data !== null && (
          <div className="row">
            <button
              type="button"
              className="btn"
              disabled={action.isPending}
              onClick={() => action.mutate({ run: () => transferNow(zone.id), done: text.transferring })}
            >
              {text.transfer}
            </button>
          </div>
        )}
        <Problem error={action.error} />
      </div>
    </Section>
  )
}

interface MemberPrimariesProps {
  readonly accountId: string
  /** That created the zone, as the API names it. */
  readonly catalog: string
  readonly peers: readonly WirePeer[] | undefined
  /** In their order. */
  readonly chosen: readonly string[]
}

/** The API refuses other primaries for such a zone. */
function MemberPrimaries({ accountId, catalog, peers, chosen }: MemberPrimariesProps) {
  const title = useId()
  return (
    <div role="group" aria-labelledby={title}>
      <p id={title} className="small soft">
        {text.choosePrimary}
      </p>
      <ol>
        {chosen.map((id) => (
          <li key={id}>
            {nameOf(peers, id)} <span className="mono dim">{peers?.find((peer) => peer.id === id)?.ip}</span>
          </li>
        ))}
      </ol>
      <p className="soft">
        {text.ofCatalog} <CatalogLink accountId={accountId} name={bareName(catalog)} />
      </p>
    </div>
  )
}

const TONES: Readonly<Record<WireIncomingStatus['state'], Tone>> = {
  current: 'normal',
  waiting: 'expected',
  expired: 'wrong',
}

function IncomingFacts({ status }: { readonly status: WireIncomingStatus }) {
  const { facts } = text
  return (
    <dl className="kv">
      <dt>{facts.state}</dt>
      <dd>
        <StatusWord tone={TONES[status.state]}>{text.incomingStates[status.state]}</StatusWord>
      </dd>
      <dt>{facts.serial}</dt>
      <dd className="mono">{status.soa_serial ?? text.none}</dd>
      <dt>{facts.primarySerial}</dt>
      <dd className="mono">{status.primary_serial ?? text.none}</dd>
      <dt>{facts.checked}</dt>
      <dd>{status.checked_on === null ? text.none : <Age at={status.checked_on} />}</dd>
      <dt>{facts.transferred}</dt>
      <dd>{status.transferred_on === null ? text.none : <Age at={status.transferred_on} />}</dd>
      {status.expires_on !== null && (
        <>
          <dt>{facts.expires}</dt>
          <dd>
            <Until at={status.expires_on} />
          </dd>
        </>
      )}
      <dt>{facts.digest}</dt>
      <dd>{verifiedDigestOf(status).words}</dd>
      {status.problem !== null && (
        <>
          <dt>{facts.problem}</dt>
          <dd className="warn">{status.problem}</dd>
        </>
      )}
    </dl>
  )
}
