// The top bar: logo, where one is, who is signed in.
import { Link, useMatches, useParams } from '@tanstack/react-router'
import { Icon, Logo } from '../parts/icon.tsx'
import { strings } from '../strings.ts'
import { paletteStrings } from '../strings/palette.ts'
import { useShownDetail } from './crumb-detail.tsx'
import { UserMenu } from './user-menu.tsx'

interface TopBarProps {
  readonly onMenu: () => void
  readonly isMenuOpen: boolean
  /** Opens the palette with this typed. */
  readonly onJump: (typed: string) => void
}

export function TopBar({ onMenu, isMenuOpen, onJump }: TopBarProps) {
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
            <button
              type="button"
              className="zone"
              aria-haspopup="dialog"
              aria-label={paletteStrings.switchZone(zone)}
              onClick={() => onJump('@')}
            >
              <span className="clip">{zone}</span>
              <Icon name="down" />
            </button>
            <span className="sep">/</span>
          </>
        )}
        <PageName />
      </div>
      <span className="gap" />
      <button type="button" className="jump" aria-haspopup="dialog" onClick={() => onJump('')}>
        <Icon name="search" />
        <span>{paletteStrings.open}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <UserMenu />
    </header>
  )
}

/** The page, and what it is about. */
function PageName() {
  const last = useMatches().at(-1)?.routeId
  const shown = useShownDetail()
  const page: Page | undefined = strings.pages.find(({ route }) => route === last)
  const detail = shown ?? page?.detail
  return (
    <>
      <span className="page">{page?.name ?? strings.zones.title}</span>
      {detail !== undefined && (
        <>
          <span className="sep">/</span>
          <span className="page clip" title={detail}>
            {detail}
          </span>
        </>
      )}
    </>
  )
}

interface Page {
  readonly name: string
  /** Of several pages with the same name. */
  readonly detail?: string
}
