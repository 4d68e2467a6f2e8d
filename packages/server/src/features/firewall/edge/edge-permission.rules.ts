// The permission of an edge.
export const MAY_DECIDE: readonly string[] = ['Edge Decide']
