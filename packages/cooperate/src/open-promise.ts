// A promise that is settled from elsewhere.

export interface OpenPromise<Result> {
  readonly promise: Promise<Result>
  readonly resolve: (result: Result) => void
  readonly reject: (failure: unknown) => void
}

/** As `Promise.withResolvers`, which Node 20 lacks. */
export function createPromise<Result>(): OpenPromise<Result> {
  let resolve: (result: Result) => void = () => {}
  let reject: (failure: unknown) => void = () => {}
  const promise = new Promise<Result>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  return { promise, resolve, reject }
}
