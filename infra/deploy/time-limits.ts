/** Minutes that the longest command of a step may take, by its step. A job of a workflow may take as many (infra/check/rules/workflows.ts). */
export const timeLimits = {
  provision: 120,
  backup: 90,
  migrate: 45,
  preview: 30,
  push: 15,
} as const;
