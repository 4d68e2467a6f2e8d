// The head of a screen: its title, what it is about, and its buttons.
import type { ReactNode } from 'react'

interface PageHeadProps {
  readonly title?: string
  /** Instead of a title: a name as it is in the data, such as a zone or a URL. */
  readonly name?: string
  /** Shown by the pointer, if the name is only a part of it. */
  readonly wholeName?: string
  readonly intro?: ReactNode
  /** The buttons. */
  readonly children?: ReactNode
}

export function PageHead({ title, name, wholeName = name, intro, children }: PageHeadProps) {
  return (
    <div className="head">
      <div>
        <h1 title={wholeName}>{name === undefined ? title : <span className="mono">{name}</span>}</h1>
        {isShown(intro) && <p>{intro}</p>}
      </div>
      {isShown(children) && <div className="acts">{children}</div>}
    </div>
  )
}

const isShown = (node: ReactNode): boolean => node !== undefined && node !== null && node !== false
