// The route of the migration wizard: the step that is looked at is in the address, the state is the server's.
import { createRoute, lazyRouteComponent, type AnyRoute } from '@tanstack/react-router'

const screen = () =>
  lazyRouteComponent(() => import('../screens/migration/migration-screen.tsx'), 'MigrationScreen')

export function migrationRoutes<Parent extends AnyRoute>(zone: Parent) {
  return [
    createRoute({ getParentRoute: () => zone, path: '/migration', component: screen() }),
    createRoute({ getParentRoute: () => zone, path: '/migration/$step', component: screen() }),
  ] as const
}
