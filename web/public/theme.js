/** Applies the theme chosen in this browser before the first paint; web/frame/theme.ts does the rest. */
{
  const theme = localStorage.getItem('countersign-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
}
