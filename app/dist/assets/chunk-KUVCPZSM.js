import{G as i,ea as l,p as e}from"./chunk-CLKZFVJH.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
