// The top bar: logo, where one is, who is signed in.
import { Link, useMatches, useParams } from '@tanstack/react-router'
import { Icon, Logo } from '../parts/icon.tsx'
import { strings } from '../strings.ts'
import { UserMenu } from './user-menu.tsx'

interface TopBarProps {
  readonly onMenu: () => void
  readonly isMenuOpen: boolean
}

export function TopBar({ onMenu, isMenuOpen }: TopBarProps) {
  const { zone } = useParams({ strict: false })
  return (
    <header className="top">
      <button
        type="button"
        className="menu-btn"
        aria-label={strings.shell.menu}
        aria-expanded={isMenuOpen}
        aria-controls="navigation"
        onClick={onMenu}
      >
        <Icon name={isMenuOpen ? 'close' : 'menu'} />
      </button>
      <Link className="logo" to="/zones" aria-label={strings.shell.logo}>
        <Logo />
        <span>{strings.product}</span>
      </Link>
      <div className="crumb">
        {zone !== undefined && (
          <>
            <Link className="zone" to="/zones/$zone" params={{ zone }}>
              {zone}
            </Link>
            <span className="sep">/</span>
          </>
        )}
        <span className="page">{usePageName()}</span>
      </div>
      <span className="gap" />
      <UserMenu />
    </header>
  )
}

function usePageName(): string {
  const last = useMatches().at(-1)?.routeId
  return strings.pages.find(({ route }) => route === last)?.name ?? strings.zones.title
}
