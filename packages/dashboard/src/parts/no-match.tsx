// A filter that nothing matches, and the way back to the whole list.
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface NoMatchProps {
  readonly text: ReactNode
  readonly clear: string
}

/** For screens whose filter is the search of their address. */
export function NoMatch({ text, clear }: NoMatchProps) {
  const navigate = useNavigate()
  return (
    <p className="pad soft">
      {text}{' '}
      <button
        type="button"
        className="link"
        onClick={() =>
          void navigate({ to: '.', search: ({ account }) => (account === undefined ? {} : { account }) })
        }
      >
        {clear}
      </button>
    </p>
  )
}
