// What stands at the address of a zone that does not exist, or that the reader may not see.
import { Link, useParams } from '@tanstack/react-router'
import { PageHead } from '../../parts/page-head.tsx'
import { strings } from '../../strings.ts'

export function UnknownZone() {
  const { zone } = useParams({ strict: false })
  return (
    <>
      <PageHead title={strings.zone.unknownTitle} intro={strings.zone.unknown(String(zone))} />
      <p className="pad">
        <Link className="link" to="/zones">
          {strings.zone.all}
        </Link>
      </p>
    </>
  )
}
