// The status line: the zone, its serial, its signing and its size are always in sight.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { outgoingProgress } from '../api/transfers.ts'
import { dnssecOf, recordUsage, zoneNamed, zoneSerial } from '../api/zones.ts'
import { numberText, strings } from '../strings.ts'

const PROGRESS_MILLIS = 30_000

export function StatusLine({ onKeys }: { readonly onKeys: () => void }) {
  const { zone } = useParams({ strict: false })
  return (
    <footer className="status">
      {zone === undefined ? <span>{location.host}</span> : <ZoneStatus name={zone} />}
      <span className="end">
        <button type="button" className="keys" onClick={onKeys}>
          <kbd>?</kbd> {strings.shell.keys}
        </button>
      </span>
    </footer>
  )
}

function ZoneStatus({ name }: { readonly name: string }) {
  const { data: zone } = useQuery(zoneNamed(name))
  return (
    <>
      <span>{name}</span>
      {zone !== null && zone !== undefined && <ZoneFacts zoneId={zone.id} />}
    </>
  )
}

function ZoneFacts({ zoneId }: { readonly zoneId: string }) {
  const { data: serial } = useQuery(zoneSerial(zoneId))
  const { data: signing } = useQuery(dnssecOf(zoneId))
  const { data: count } = useQuery(recordUsage(zoneId))
  // The overview or the transfers ask first, not each screen. From then on it is kept fresh while transfers are enabled.
  const { data: progress, error } = useQuery({
    ...outgoingProgress(zoneId),
    enabled: ({ state }) => state.data?.enabled === true,
    refetchInterval: PROGRESS_MILLIS,
  })
  const peers = progress?.enabled === true && error === null ? progress.peers : []
  const behind = peers.filter(({ state }) => state === 'behind').length
  return (
    <>
      {serial !== undefined && (
        <span>{serial === null ? strings.status.silent : strings.status.serial(serial)}</span>
      )}
      {signing !== undefined && (
        <span className="wide">{strings.status.signing(signing.status, signing.key_tag)}</span>
      )}
      {behind > 0 && <span className="wide warn">{strings.status.behind(behind, peers.length)}</span>}
      {count !== undefined && <span className="wide">{strings.status.records(numberText(count))}</span>}
    </>
  )
}
