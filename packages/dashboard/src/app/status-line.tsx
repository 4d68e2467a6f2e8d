// The status line: the zone, its serial, its signing and its size are always in sight.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { dnssecOf, recordUsage, zoneNamed, zoneSerial } from '../api/zones.ts'
import { numberText, strings } from '../strings.ts'

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
  return (
    <>
      {serial !== undefined && (
        <span>{serial === null ? strings.status.silent : strings.status.serial(serial)}</span>
      )}
      {signing !== undefined && (
        <span className="wide">{strings.status.signing(signing.status, signing.key_tag)}</span>
      )}
      {count !== undefined && <span className="wide">{strings.status.records(numberText(count))}</span>}
    </>
  )
}
