// A link to a catalog zone, by its name.
import { Link } from '@tanstack/react-router'

interface CatalogLinkProps {
  readonly accountId: string
  /** Without the dot at its end. */
  readonly name: string
}

export const CatalogLink = ({ accountId, name }: CatalogLinkProps) => (
  <Link
    className="link mono"
    to="/catalogs/$catalog"
    params={{ catalog: name }}
    search={{ account: accountId }}
  >
    {name}
  </Link>
)
