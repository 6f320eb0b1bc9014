export const rulePages: Readonly<Record<string, string>> = {};
