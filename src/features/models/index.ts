/** The public interface of models. */
export { selectRunUsage } from './model-store.ts';
export { type Budget, openBudget } from './open-budget.ts';
export { type ModelServices, openModels, usesModel } from './open-models.ts';
