# run(COMMAND...): sets `said` to what the command prints; a failure ends the script with it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(status)
    message(FATAL_ERROR "${ARGN} ended with ${status}:\n${out}")
  endif()
  set(said "${out}" PARENT_SCOPE)
endfunction()
