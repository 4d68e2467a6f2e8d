// Marks and icons: 14 px, one stroke, the color of the text around them.
const PATHS = {
  add: 'M7 3v8M3 7h8',
  change: 'M2.5 8.2c1.4-2.2 3-2.2 4.5-1s3.1 1.2 4.5-1',
  remove: 'M3 7h8',
  warning: 'M7 2 12.5 12h-11zM7 6v2.7M7 10.4v.1',
  wrong: 'M2 2h10v10H2zM4.8 4.8l4.4 4.4M9.2 4.8 4.8 9.2',
  expected: 'M7 1.7a5.3 5.3 0 1 1-5.3 5.3',
  off: 'M4 7h1.5M8.5 7H10',
  down: 'm3.5 5.5 3.5 3.5 3.5-3.5',
  right: 'm5.5 3.5 3.5 3.5-3.5 3.5',
  lines: 'M3 4h8M3 7h8M3 10h5',
  arrow: 'M2.5 7h9M8 3.5 11.5 7 8 10.5',
  menu: 'M2 4h10M2 7h10M2 10h10',
  close: 'm3.5 3.5 7 7M10.5 3.5l-7 7',
  copy: 'M5 5h7v7H5zM9 5V2H2v7h3',
  check: 'm2.5 7.5 3 3 6-7',
  pin: 'M7 9v3.5M4 9h6L9 6V2H5v4z',
  person: 'M7 2a2.4 2.4 0 1 1 0 4.8A2.4 2.4 0 0 1 7 2M2.4 12.2c.4-2.5 2.3-3.8 4.6-3.8s4.2 1.3 4.6 3.8',
} as const

type PathName = keyof typeof PATHS
export type IconName = PathName | 'search' | 'ring' | 'more' | 'info' | 'question'

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg className="i" viewBox="0 0 14 14" aria-hidden="true">
      {shapeOf(name)}
    </svg>
  )
}

function shapeOf(name: IconName) {
  switch (name) {
    case 'search':
      return (
        <>
          <circle cx="6" cy="6" r="3.8" />
          <path d="m9 9 3 3" />
        </>
      )
    case 'ring':
      return <circle cx="7" cy="7" r="3.2" />
    case 'more':
      return <path d="M3 7h.1M7 7h.1M11 7h.1" strokeWidth="2" />
    case 'question':
      return (
        <>
          <circle cx="7" cy="7" r="5.3" />
          <path d="M5.5 5.6c.1-1.9 3.1-1.9 3.1 0C8.6 6.9 7 6.8 7 8.2M7 10v.1" />
        </>
      )
    case 'info':
      return (
        <>
          <circle cx="7" cy="7" r="5.3" />
          <path d="M7 6.5v3.3M7 4.3v.1" />
        </>
      )
    default:
      return <path d={PATHS[name]} />
  }
}

/** The margin line with a Z. */
export function Logo() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path className="hair" d="M1.5 0v18" />
      <path d="M5.5 4h11.5L6.5 14H17" />
    </svg>
  )
}
