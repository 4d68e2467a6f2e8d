// The digest of a zone (ZONEMD): whether its transfers contain one, and whether it is answered; of a secondary zone,
// whether its primary's was right.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { changeOwnDnsSettings, ownDnsSettingsOf } from '../../api/dns-settings.ts'
import { currentSession } from '../../api/session.ts'
import {
  incomingStatus,
  outgoingProgress,
  type WireIncomingStatus,
  type WireOutgoingProgress,
} from '../../api/transfers.ts'
import type { WireZone } from '../../api/zones.ts'
import { mayWriteZone } from '../../parts/may-write.ts'
import { Problem } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import { useZoneAction } from '../../parts/zone-action.ts'
import { dnsSettingStrings } from '../../strings/dns-settings.ts'
import { digestStateOf, isDigestPending, verifiedDigestOf } from './digest-state.ts'

const text = dnsSettingStrings.digest
/** While one is made. */
const AGAIN_MILLIS = 2_000

export function ZoneDigest({ zone }: { readonly zone: WireZone }) {
  return zone.type === 'secondary' ? <VerifiedDigest zone={zone} /> : <PublishedDigest zone={zone} />
}

function PublishedDigest({ zone }: { readonly zone: WireZone }) {
  const { data: session } = useQuery(currentSession)
  const settings = useQuery(ownDnsSettingsOf(zone.id))
  const isOn = settings.data?.zone_digest === true
  const { data: progress, error } = useQuery({
    ...outgoingProgress(zone.id),
    enabled: isOn,
    refetchInterval: ({ state }) => (isDigestPending(state.data) ? AGAIN_MILLIS : false),
  })
  const action = useZoneAction(zone.id)
  const isReader = !mayWriteZone(session, zone.id)
  return (
    <Section title={text.title} note={text.note}>
      <div className="stack">
        {settings.data !== undefined && (
          <label className="opt">
            <input
              type="checkbox"
              role="switch"
              className="ck"
              checked={isOn}
              disabled={isReader || action.isPending}
              onChange={() =>
                action.mutate({
                  run: () => changeOwnDnsSettings(zone.id, { zone_digest: !isOn }),
                  done: isOn ? text.turnedOff : text.turnedOn,
                })
              }
            />
            {text.publish}
          </label>
        )}
        {isOn && progress !== undefined && <DigestState zone={zone} progress={progress} />}
        <p className="soft prose">{text.detail}</p>
        <Problem error={settings.error ?? action.error ?? (isOn ? error : null)} />
      </div>
    </Section>
  )
}

interface DigestStateProps {
  readonly zone: WireZone
  /** Null if no transfers were set up. */
  readonly progress: WireOutgoingProgress | null
}

function DigestState({ zone, progress }: DigestStateProps) {
  const { tone, words, detail } = digestStateOf(progress)
  return (
    <p role="status">
      <StatusWord tone={tone}>{words}</StatusWord>
      {detail !== undefined && <span className="soft says">{detail}</span>}{' '}
      {progress?.enabled !== true && (
        <Link className="link" to="/zones/$zone/transfers" params={{ zone: zone.name }}>
          {text.toTransfers}
        </Link>
      )}
    </p>
  )
}

function VerifiedDigest({ zone }: { readonly zone: WireZone }) {
  const { data: status, error } = useQuery(incomingStatus(zone.id))
  return (
    <Section title={text.title} note={text.note}>
      <div className="stack">
        {status !== undefined && status !== null && (
          <p>
            <VerifiedWords status={status} />
          </p>
        )}
        {status?.problem !== undefined && status.problem !== null && (
          <p className="warn">{text.lastProblem(status.problem)}</p>
        )}
        <p className="soft prose">{text.verifiedDetail}</p>
        <Problem error={error} />
      </div>
    </Section>
  )
}

function VerifiedWords({ status }: { readonly status: WireIncomingStatus }) {
  const { tone, words } = verifiedDigestOf(status)
  return <StatusWord tone={tone}>{words}</StatusWord>
}
