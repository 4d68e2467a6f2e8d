// IDs in the paths of requests.

/** The ID of this name in the path of an operation. @throws Error: the path has no such part. */
export function pathId(ids: Readonly<Record<string, string | undefined>>, name: string): string {
  const id = ids[name]
  if (id === undefined) throw new Error(`the path of the operation has no ${name}`)
  return id
}
