// A response of the origin about which rules could not decide, where such a phase is closed.

/** It was counted and logged; the client must not get the response. */
export class UndecidedResponse extends Error {}
