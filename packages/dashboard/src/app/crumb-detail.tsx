// The name of what a page shows, behind the page's own in the top bar. The screen has it once it is read.
import { createContext, use, useEffect, useState, type ReactNode } from 'react'

type Show = (name: string | undefined) => void

const ShowDetail = createContext<Show>(() => undefined)
const Detail = createContext<string | undefined>(undefined)

export function CrumbDetails({ children }: { readonly children: ReactNode }) {
  const [name, setName] = useState<string>()
  return (
    <ShowDetail value={setName}>
      <Detail value={name}>{children}</Detail>
    </ShowDetail>
  )
}

export const useShownDetail = (): string | undefined => use(Detail)

/** As long as the component is on the page. @param name undefined while it is awaited */
export function useCrumbDetail(name: string | undefined): void {
  const show = use(ShowDetail)
  useEffect(() => {
    show(name)
    return () => show(undefined)
  }, [show, name])
}
