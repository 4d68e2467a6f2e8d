// What stands at the address of a zone that does not exist, or that the reader may not see.
import { Link, useParams } from '@tanstack/react-router'
import { strings } from '../../strings.ts'

export function UnknownZone() {
  const { zone } = useParams({ strict: false })
  return (
    <>
      <div className="head">
        <div>
          <h1>{strings.zone.unknownTitle}</h1>
          <p>{strings.zone.unknown(String(zone))}</p>
        </div>
      </div>
      <p className="pad">
        <Link className="link" to="/zones">
          {strings.zone.all}
        </Link>
      </p>
    </>
  )
}
