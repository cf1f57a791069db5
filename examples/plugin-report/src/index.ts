export { generateReport, type GenerateReportInput, type Report, type Section } from "./generate-report.ts";
export { reportPlugin, reportPlugin as default } from "./plugin.ts";
