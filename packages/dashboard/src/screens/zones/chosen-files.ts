// The files that are chosen for import: each is read, and previewed with the name of its zone.
import { useEffect, useRef, useState } from 'react'
import { findZone, type WireZone } from '../../api/zones.ts'
import type { ImportResult } from './import-run.ts'
import { originOf, previewOf, zoneNameOf, type FilePreview } from './zone-files.ts'

interface ReadFile {
  readonly fileName: string
  readonly text: string
  /** As it is typed. */
  readonly zone: string
  /** Why the file has no text. */
  readonly unread?: string
}

export interface ChosenFile extends ReadFile {
  readonly key: number
  /** Another name follows soon, maybe. */
  readonly isTyped?: boolean
  /** Absent while the file is read, and without a valid name. */
  readonly preview?: FilePreview
  /** Why there is no preview. */
  readonly problem?: string
  /** Whether there is such a zone already, of those that the reader may see. Absent until the server says so. */
  readonly isTaken?: boolean
  readonly result?: ImportResult
}

/** A file that cannot be read keeps its row, which says why: the other files are read all the same. */
export async function readChosen(file: Pick<File, 'name' | 'text'>): Promise<ReadFile> {
  try {
    const text = await file.text()
    return { fileName: file.name, text, zone: zoneNameOf(text, file.name) }
  } catch (error) {
    return { fileName: file.name, text: '', zone: '', unread: problemOf(error) }
  }
}

export const needsPreview = ({ zone, unread, preview, problem }: Omit<ChosenFile, 'key'>): boolean =>
  unread === undefined && preview === undefined && problem === undefined && originOf(zone) !== undefined

export const needsLookUp = ({ zone, unread, isTaken }: Omit<ChosenFile, 'key'>): boolean =>
  unread === undefined && isTaken === undefined && originOf(zone) !== undefined

/** @returns undefined if it is not wanted any more */
export async function previewChosen(
  { text, zone }: Pick<ReadFile, 'text' | 'zone'>,
  signal: AbortSignal,
  read = previewOf,
): Promise<Pick<ChosenFile, 'preview' | 'problem'> | undefined> {
  const origin = originOf(zone)
  if (origin === undefined) return undefined
  try {
    const preview = await read(text, origin, signal)
    return signal.aborted ? undefined : { preview }
  } catch (error) {
    return signal.aborted ? undefined : { problem: problemOf(error) }
  }
}

/** @returns undefined if it is not wanted any more */
export async function lookUpZone(
  { zone, isTyped = false }: Pick<ChosenFile, 'zone' | 'isTyped'>,
  signal: AbortSignal,
  find: (name: string, signal: AbortSignal) => Promise<WireZone | null> = findZone,
): Promise<Pick<ChosenFile, 'isTaken'> | undefined> {
  const origin = originOf(zone)
  if (isTyped) await new Promise((resolve) => setTimeout(resolve, TYPING_MILLIS))
  if (origin === undefined || signal.aborted) return undefined
  // Without an answer, the creation says whether there is one.
  const isTaken = await find(origin, signal).then(
    (found) => found !== null,
    () => false,
  )
  return signal.aborted ? undefined : { isTaken }
}

/** A pause in typing, after which a name may be complete. */
const TYPING_MILLIS = 300

const problemOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Previews follow the names of the zones: names in a file are relative to them. */
export function useChosenFiles() {
  const [files, setFiles] = useState<readonly ChosenFile[]>([])
  const nextKey = useRef(0)
  const change = (key: number, changes: Partial<ChosenFile>): void =>
    setFiles((last) => last.map((file) => (file.key === key ? { ...file, ...changes } : file)))
  // What the other one finds out makes another object of the same file.
  const { key: unread, text = '', zone = '' } = files.find(needsPreview) ?? {}
  useEffect(() => {
    if (unread === undefined) return undefined
    const controller = new AbortController()
    void previewChosen({ text, zone }, controller.signal).then(
      (changes) => changes !== undefined && change(unread, changes),
    )
    return () => controller.abort()
  }, [unread, text, zone])
  const { key: unknown, zone: name = '', isTyped = false } = files.find(needsLookUp) ?? {}
  useEffect(() => {
    if (unknown === undefined) return undefined
    const controller = new AbortController()
    void lookUpZone({ zone: name, isTyped }, controller.signal).then(
      (changes) => changes !== undefined && change(unknown, changes),
    )
    return () => controller.abort()
  }, [unknown, name, isTyped])
  return {
    files,
    async add(chosen: readonly File[]): Promise<void> {
      for (const file of chosen) {
        const added = await readChosen(file)
        const key = nextKey.current
        nextKey.current += 1
        setFiles((last) => [...last, { ...added, key }])
      }
    },
    change(key: number, { zone, ...others }: Partial<ChosenFile>): void {
      if (zone === undefined) return change(key, others)
      // What was read with another name is not true any more.
      setFiles((last) =>
        last.map((file) => {
          if (file.key !== key) return file
          const { preview: _, problem: __, isTaken: ___, ...rest } = file
          return { ...rest, zone, isTyped: true }
        }),
      )
    },
    remove: (key: number) => setFiles((last) => last.filter((file) => file.key !== key)),
  }
}
